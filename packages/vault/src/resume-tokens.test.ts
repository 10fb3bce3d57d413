import { expect, test } from '@jest/globals';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { ResumeTokens } from './resume-tokens.ts';

const [first, second] = [generateMasterKey(), generateMasterKey()];
const tokensOf = (...keys: string[]) => new ResumeTokens(KeyRing.parse(keys));
const subject = { executionId: '7', createdAt: 1_700_000_000_000, attempt: 1 };

test('a token is valid in every process with the master key, even if it is no longer the primary key', () => {
  const token = tokensOf(first).issue(subject);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(tokensOf(first).isIssued(token, subject)).toBe(true);
  expect(tokensOf(second, first).isIssued(token, subject)).toBe(true);
  expect(tokensOf(second).isIssued(token, subject)).toBe(false);
});

test('a token is valid for only one execution, and only one of its waits', () => {
  const tokens = tokensOf(first);
  const token = tokens.issue(subject);
  for (const other of [{ executionId: '8' }, { createdAt: 1_700_000_000_001 }, { attempt: 2 }]) {
    expect(tokens.issue({ ...subject, ...other })).not.toBe(token);
    expect(tokens.isIssued(token, { ...subject, ...other })).toBe(false);
  }
  expect(tokens.isIssued(token.slice(1), subject)).toBe(false);
  expect(tokens.isIssued('', subject)).toBe(false);
});
