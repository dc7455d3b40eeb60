import { describe, expect, it } from '@jest/globals';
import { declaredMediaType, servedMediaType } from './media-type.js';

describe('declaredMediaType', () => {
  it.each([
    ['Text/HTML; charset=utf-8', 'text/html'],
    ['application/vnd.nsys+sqlite', 'application/vnd.nsys+sqlite'],
    ['', 'application/octet-stream'],
    ['text', 'application/octet-stream'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    [`text/${'x'.repeat(100)}`, 'application/octet-stream'],
  ])('of %j is %j', (given, type) => {
    expect(declaredMediaType(given)).toBe(type);
  });
});

describe('servedMediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
  ])('of %j is %j', (declared, type) => {
    expect(servedMediaType(declared)).toBe(type);
  });
});
