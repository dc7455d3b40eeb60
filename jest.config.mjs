// Jest on Node.js below 24.9 cannot require() an ES module: CommonJS packages that do are given a CommonJS copy of it.
const requiredEsm = ['content-disposition', 'cookie'].join('|');
const toCommonJs = [
  '@swc/jest',
  { swcrc: false, jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' } },
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.spec\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: true }],
    [`/node_modules/(?:.*/)?(?:${requiredEsm})/.+\\.js$`]: toCommonJs,
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/)?(?:${requiredEsm})/)`],
  // sources import "./x.js", which is what is emitted; Jest must find "./x.ts"
  moduleNameMapper: { '^(\\.{1,2}/(?:.*/)?[^/]+)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  maxWorkers: 2,
  // A process keeps the modules of every spec file it ran. One that holds more than this is replaced before the next one.
  workerIdleMemoryLimit: '1GB',
  // Ten times what the slowest takes: it tells a hang from an answer, and nothing else.
  testTimeout: 600_000,
};
