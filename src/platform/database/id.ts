import { randomBytes } from 'node:crypto';

let lastTime = 0;
let counter = 0;

/** A UUID of version 7 (RFC 9562), rising within this process: ids sort in the order in which they were made. */
export function uuidv7(): string {
  const time = Math.max(Date.now(), lastTime);
  counter = time === lastTime ? counter + 1 : 0;
  // 4,096 ids in one millisecond use the counter up: the next one borrows from the future.
  lastTime = counter > 0xfff ? time + 1 : time;
  if (counter > 0xfff) counter = 0;
  const hex = lastTime.toString(16).padStart(12, '0');
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString('hex');
  const head = `${hex.slice(0, 8)}-${hex.slice(8)}-7${counter.toString(16).padStart(3, '0')}`;
  return `${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
