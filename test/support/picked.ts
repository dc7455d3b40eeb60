export type Pick = <T>(values: readonly T[]) => T;

/** One of the values, by chance. */
export function pickedBy(random: () => number): Pick {
  return (values) => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
}
