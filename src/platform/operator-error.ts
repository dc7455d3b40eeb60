/** What the operator can mend: the message says all. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
