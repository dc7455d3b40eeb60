import { jsonBlocks } from './json-blocks.js';
import type { ToolText } from './reader.js';

// eslint-disable-next-line no-control-regex -- terminals begin a color with the escape character
const escapeSequence = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** The text as readers want it: lines without colors, and the JSON values that it holds. */
export function toolText(content: string): ToolText {
  const lines = content
    .replace(/^\uFEFF/, '')
    .replace(escapeSequence, '')
    .split(/\r\n|\n|\r/);
  return { lines, json: jsonBlocks(lines) };
}
