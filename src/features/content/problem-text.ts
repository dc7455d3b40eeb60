import type { ContentProblem } from '../../domain/content/content-file.js';

/** All problems of the content, one a line, by file, line and place. */
export function problemText(problems: readonly ContentProblem[]): string {
  const lines = problems.map(
    ({ file, line, path, message }) => `  ${file}${line === null ? '' : `:${line}`}${path ? ` ${path}` : ''}: ${message.en}`,
  );
  return [`The content has ${problems.length} problem(s):`, ...lines].join('\n');
}
