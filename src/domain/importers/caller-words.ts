import type { BothLanguages } from '../locale.js';

/** What a text tells a caller to use, in the words of the API and in those of the command line. */
interface CallerWords {
  readonly api: BothLanguages;
  readonly commands: BothLanguages;
}

/** Parts of texts that name something that callers use. */
export const callerWords = {
  formatsListed: {
    api: { en: 'importFormats lists', zh: '支持的格式见 importFormats' },
    commands: { en: '`tunebook formats` lists', zh: '支持的格式见 tunebook formats' },
  },
  formatNamed: {
    api: { en: 'Repeat with one of them as the format', zh: '请用 format 指定' },
    commands: { en: 'Repeat with one of them as --format', zh: '请用 --format 指定' },
  },
  mappingGiven: {
    api: {
      en: 'say in `mapping` what they mean. `table` lists them with a suggestion',
      zh: '请用 mapping 说明各列含义，table 中列出了各列和建议的映射',
    },
    commands: {
      en: 'say in a file what they mean, and name it by --mapping. `tunebook mapping` writes one to begin with',
      zh: '请在文件中说明各列含义并用 --mapping 指定，tunebook mapping 可给出初稿',
    },
  },
} satisfies Record<string, CallerWords>;

/** The text as the command line says it. */
export function inCommandWords(text: string): string {
  return Object.values(callerWords).reduce(
    (said, { api, commands }) => said.replaceAll(api.en, commands.en).replaceAll(api.zh, commands.zh),
    text,
  );
}
