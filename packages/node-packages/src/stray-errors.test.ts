import { expect, test } from '@jest/globals';
import { StrayErrors, type StrayKind } from './stray-errors.ts';

type Line = Record<string, unknown>;

function strays(folders?: ReadonlyMap<string, string>) {
  const lines: Line[] = [];
  return { lines, errors: new StrayErrors({ error: (fields) => void lines.push({ ...fields }) }, folders) };
}

test('an error that is thrown in a timer goes to whose code has set it, and to its logger', async () => {
  const { errors, lines } = strays();
  const own: Line[] = [];
  const { promise, resolve } = Promise.withResolvers<[unknown, StrayKind]>();
  const owner = {
    logger: { error: (fields: object) => void own.push({ ...fields }) },
    failed: (error: unknown, kind: StrayKind) => resolve([error, kind]),
  };
  errors.run(owner, () => setTimeout(() => expect(errors.take('thrown late', 'thrown')).toBe(true), 1));
  expect(await promise).toEqual(['thrown late', 'thrown']);
  expect([lines, own]).toEqual([[], [{ error: 'thrown late', err: 'thrown late' }]]);
});

test('one that belongs to nobody is not taken', () => {
  const { errors, lines } = strays(new Map([['/srv/nodes/acme', 'acme']]));
  expect(errors.take(new Error('whose?'), 'thrown')).toBe(false);
  expect(lines).toMatchObject([{ error: 'whose?' }]);
});

test.each(['file:///srv/my%20nodes/acme/dist/a.js:3:1', '/srv/my nodes/acme/dist/a.js:3:1'])(
  'one without an owner is told by the package that its stack names: %s',
  (place) => {
    const { errors, lines } = strays(
      new Map([
        ['/srv/my nodes/acm', 'other'],
        ['/srv/my nodes/acme', 'acme'],
      ]),
    );
    const error = Object.assign(new Error('late'), { stack: `Error: late\n    at Timeout (${place})` });
    expect(errors.take(error, 'thrown')).toBe(true);
    expect(lines).toMatchObject([{ package: 'acme', error: 'late' }]);
  },
);
