import { expect, jest, test } from '@jest/globals';
import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryLeftover, BinaryRepository } from '@sluice/db';
import { UnavailableError } from '@sluice/domain';
import { FileSweeper } from './file-sweeper.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;

function aSweeper(leftovers: BinaryLeftover[], deletes: BinaryStore['delete']) {
  const forgetLeftovers = jest.fn(async (_: readonly BinaryLeftover[]) => undefined);
  const takeLeftovers = async () => leftovers.splice(0);
  const binaries = { dropUnfinished: async () => 0, takeLeftovers, forgetLeftovers } as unknown as BinaryRepository;
  const store = { delete: deletes } as BinaryStore;
  return { sweeper: new FileSweeper({ binaries, store, pauseMs: 1, logger: silent }), forgetLeftovers };
}

const leftover = (seq: string, changes: Partial<BinaryLeftover> = {}): BinaryLeftover => ({
  seq,
  binaryId: `file-${seq}`,
  interrupted: false,
  referenced: false,
  ...changes,
});

test('a sweep deletes unreferenced files and parts of incomplete files, and keeps files that other executions reference', async () => {
  const deletes = jest.fn(async () => undefined);
  const all = [leftover('1'), leftover('2', { interrupted: true }), leftover('3', { referenced: true })];
  const { sweeper, forgetLeftovers } = aSweeper([...all], deletes);
  await sweeper.round();
  expect(deletes.mock.calls).toEqual([[['file-1']], [['file-2'], { interrupted: true }]]);
  expect(forgetLeftovers.mock.calls).toEqual([[all]]);
});

test('a sweep keeps the records of files that the storage failed to delete', async () => {
  const { sweeper, forgetLeftovers } = aSweeper([leftover('1')], () => Promise.reject(new UnavailableError('away')));
  await expect(sweeper.round()).rejects.toThrow('away');
  expect(forgetLeftovers).not.toHaveBeenCalled();
});
