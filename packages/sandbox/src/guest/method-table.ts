/** Methods of one kind of value, by name. The value comes first, then the arguments. */
export type MethodTable<T> = Readonly<Record<string, (value: T, ...args: never[]) => unknown>>;
