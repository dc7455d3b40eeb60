/** Whether the database can hold a text: PostgreSQL stores neither U+0000 nor one half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
