import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Which features a feature may use. Every feature may also extend the GraphQL types of the search. */
const arrows = {
  accounts: ['projects'],
  audits: ['projects', 'catalog'],
  catalog: [],
  content: ['catalog', 'knowledge', 'search'],
  derived: ['measurements', 'audits', 'projects', 'catalog'],
  discussion: ['audits', 'projects', 'catalog'],
  // Files hang on what was measured and audited, and neither knows of them.
  evidence: ['measurements', 'audits', 'projects'],
  knowledge: ['measurements', 'audits', 'catalog'],
  lifecycle: ['audits', 'projects', 'catalog'],
  measurements: ['audits', 'projects', 'catalog'],
  planning: ['audits', 'measurements', 'knowledge', 'projects', 'catalog'],
  projects: ['catalog'],
  reports: [
    'audits',
    'discussion',
    'lifecycle',
    'planning',
    'derived',
    'measurements',
    'knowledge',
    'projects',
    'catalog',
  ],
  search: [],
  series: ['measurements', 'audits', 'projects', 'catalog'],
};
const features = Object.keys(arrows);

/** Import rules of the layer or feature; a later entry for the same file replaces them as a whole. */
const refuse = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

const domainIsPure = [
  {
    regex: '(^|/)(platform|features|generated|main|cli|app\\.module)(/|\\.|$)',
    message: 'The domain knows nothing but itself: take what you need as a parameter.',
  },
  {
    regex: '^(?!\\.{1,2}/|(?:zod|yaml|semver|csv-parse/sync|node:(?:buffer|crypto|zlib))$)',
    message:
      'The domain is pure and imports only zod, yaml, semver, csv-parse, and of Node.js what computes: do the rest in a service.',
  },
];

const platformIsBelow = {
  regex: '(^|/)(features|main|cli|app\\.module)(/|\\.js$)',
  message: 'The platform knows no feature: let the feature hand in what the platform needs.',
};

const entriesAreAbove = {
  regex: '^(\\.\\./)+(main|cli|app\\.module)\\.js$',
  message: 'Nothing imports an entry of the application: move what you need into a service.',
};

const resolversAskServices = {
  regex: '(^|/)(platform/database/|generated/prisma/(?!enums\\.js$))',
  message: 'A resolver asks its service. It knows neither the database nor the Prisma client, only its enums.',
};

const onlyAlong = (feature) => {
  const allowed = arrows[feature];
  const others = features.filter((other) => other !== feature && !allowed.includes(other));
  const list = allowed.length === 0 ? 'no other feature' : `only ${allowed.join(', ')}`;
  return {
    regex: `^(\\.\\./)+(?:features/)?(?:${others.join('|')})/(?!search\\.types\\.js$)`,
    message: `The feature ${feature} uses ${list}: extend your own type in the feature that knows both, or turn the call around.`,
  };
};

const onlyThrough = (feature, ...parts) => ({
  regex: `^(\\.\\./)+(?:features/)?(?!${feature}/)(?:${features.join('|')})/(?!.*\\.(?:${parts.join('|')})\\.js$)`,
  message: `Use another feature only through its *.${parts.join('.ts, *.')}.ts: add what you need to its service.`,
});

const featureRules = (feature) => [
  {
    files: [`src/features/${feature}/**/*.ts`],
    rules: refuse(entriesAreAbove, onlyAlong(feature), onlyThrough(feature, 'service', 'types')),
  },
  {
    files: [`src/features/${feature}/**/*.module.ts`],
    rules: refuse(entriesAreAbove, onlyAlong(feature), onlyThrough(feature, 'service', 'types', 'module')),
  },
  {
    files: [`src/features/${feature}/**/*.resolver.ts`],
    rules: refuse(entriesAreAbove, onlyAlong(feature), onlyThrough(feature, 'service', 'types'), resolversAskServices),
  },
];

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'src/generated/', '.cache/', 'data/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Classes of Nest and GraphQL often carry nothing but decorators.
      '@typescript-eslint/no-extraneous-class': 'off',
      // Naming a field is how it is left out of the rest.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // The type of a decorated constructor parameter stays an import of a value: injection reads it when it runs.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ['src/domain/**/*.ts'], ignores: ['**/*.spec.ts'], rules: refuse(...domainIsPure) },
  { files: ['src/platform/**/*.ts'], rules: refuse(platformIsBelow) },
  ...features.flatMap(featureRules),
  {
    // What an answer of the API holds is for the spec to say.
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        ['Blob', 'Buffer', 'URL', 'clearInterval', 'clearTimeout', 'console', 'fetch', 'performance', 'process']
          .concat(['setInterval', 'setTimeout', 'AbortSignal'])
          .map((name) => [name, 'readonly']),
      ),
    },
  },
);
