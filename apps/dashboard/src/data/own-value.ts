/**
 * A value of an object whose keys are names that users choose, such as node names; `undefined` if
 * it is absent. A plain access would find inherited members under names such as `constructor`.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** An object for names that users choose, without inherited members. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null);
}
