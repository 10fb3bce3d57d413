import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { compileValidator, createWorkflowBody, runWorkflowBody } from '@sluice/contract';
import { onErrorPolicies } from '@sluice/domain';
import { filterOperations } from '@sluice/node-sdk';

const text = readFileSync(fileURLToPath(new URL('../docs/workflows.md', import.meta.url)), 'utf8');
const examples = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => JSON.parse(json));

/** Content of a section, up to the next heading of the same level. */
function section(heading: string): string {
  return new RegExp(`^## ${heading}\\n(.*?)(?=^## )`, 'ms').exec(`${text}\n## end\n`)?.[1] ?? '';
}

/** Names in the first column of the tables of a section. */
function firstColumn(heading: string): string[] {
  const cells = [...section(heading).matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

describe('docs/workflows.md', () => {
  test('lists exactly the settings that the API knows', () => {
    const { properties } = createWorkflowBody.properties.settings as unknown as { properties: object };
    expect(firstColumn('Settings').sort()).toEqual(Object.keys(properties).sort());
  });

  test('lists every value of `onError`', () => {
    expect(firstColumn('Errors')).toEqual(['onError', ...onErrorPolicies]);
  });

  test.each(Object.entries(filterOperations))('lists every filter operation for %s', (type, operations) => {
    const [, listed = ''] = new RegExp(`^\\| \`${type}\` \\| (.*) \\|$`, 'm').exec(section('Filters')) ?? [];
    const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(names).toEqual(operationNames(operations));
  });

  test('lists every property of the body of a manual run', () => {
    expect(
      firstColumn('Manual runs')
        .filter((name) => name in runWorkflowBody.properties)
        .sort(),
    ).toEqual(Object.keys(runWorkflowBody.properties).sort());
  });

  test('has valid examples', () => {
    const [workflow, filter, pinned, run] = examples;
    expect(examples).toHaveLength(4);
    expect(() => compileValidator(createWorkflowBody)(workflow)).not.toThrow();
    expect(() => compileValidator(createWorkflowBody)({ ...workflow, ...pinned })).not.toThrow();
    expect(() => compileValidator(runWorkflowBody)(run)).not.toThrow();
    const { type, operation } = filter.conditions.conditions[0].operator;
    expect(operationNames(filterOperations[type as keyof typeof filterOperations])).toContain(operation);
  });
});

function operationNames(operations: unknown): string[] {
  return [...(operations as Iterable<string>)];
}
