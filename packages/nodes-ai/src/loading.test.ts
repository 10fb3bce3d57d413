import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/**
 * Prints which types and provider libraries are loaded with the registry, and after the first use
 * of a type.
 */
const program = `
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      const [name] = /(?<=nodes-ai.src.nodes.)[^/]+|@ai-sdk.[^/]+/.exec(url) ?? [];
      if (name) loaded.add(name);
      return next(url, context);
    },
  });
  const { withAiTypes } = await import('@sluice/nodes-ai');
  const registry = withAiTypes({ find: () => undefined });
  const before = [...loaded];
  registry.find('ai.lm-chat-open-ai');
  console.log(JSON.stringify({ before, after: [...loaded] }));
`;

test('a type is loaded when a workflow first uses it, and its provider library only for a run', async () => {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname });
  // `@ai-sdk/provider` contains only error classes.
  expect(JSON.parse(stdout)).toEqual({ before: [], after: ['lm-chat-open-ai', '@ai-sdk/provider'] });
});
