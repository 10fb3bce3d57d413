/** Collects messages about changes to a workflow. */
export type Warn = (text: string) => void;

/** A user-supplied name in a warning. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
