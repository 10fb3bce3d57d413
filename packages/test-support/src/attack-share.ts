/**
 * The attacks for the type or operation at `index`, out of those that any may get: every sixth, and
 * at least one, so that each attack meets a sixth of the types. The same code reads the responses of
 * all types, and the requests of all operations; of attacks of its own, each gets at least one. With
 * `ATTACKS=all`, as in hosted CI, each gets all.
 */
export function attackShare<Attack>(attacks: readonly Attack[], index: number): Attack[] {
  const every = process.env['ATTACKS'] === 'all' ? 1 : Math.min(6, attacks.length);
  return attacks.filter((_, at) => (at + index) % every === 0);
}
