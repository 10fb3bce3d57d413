/** Collects the changes made to a workflow, in sentences that name the place. */
export type Warn = (text: string) => void;

/** A user's name in a warning. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
