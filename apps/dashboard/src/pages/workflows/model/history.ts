/** Values for undo and redo. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** Key of the last change. Changes of the same key within a short time form one step. */
  key?: string | undefined;
  at: number;
}

const maxSteps = 200;
const joinMs = 1_200;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], at: 0 };
}

/** @param key joins this change with the last one of the same key; absent: a separate step */
export function change<T>(history: History<T>, present: T, { key, at }: { key?: string | undefined; at: number }): History<T> {
  if (Object.is(present, history.present)) return history;
  const isJoined = key !== undefined && key === history.key && at - history.at < joinMs;
  const past = isJoined ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present, future: [], key, at };
}

export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future], at: 0 };
}

export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, at: 0 };
}
