import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { errorStatuses } from './error-statuses.ts';

describe('docs/errors.md', () => {
  test('lists exactly the existing codes, each with its status', () => {
    const page = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| .+ \| .+ \|$/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(rows).toEqual(Object.entries(errorStatuses));
  });
});
