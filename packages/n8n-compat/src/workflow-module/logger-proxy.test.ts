import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { adaptNodeType } from '../adapt/adapt-node-type.ts';
import type { CommunityNodeType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { LoggerProxy, logModulesTo } from './logger-proxy.ts';
import { workflowModule } from './workflow-module.ts';

/** A logger that records level, message, and fields. */
function aLogger() {
  const lines: unknown[][] = [];
  const writing = (level: string) => (fields: object, message: string) => void lines.push([level, message, fields]);
  return { lines, debug: writing('debug'), info: writing('info'), warn: writing('warn'), error: writing('error') };
}

/** Runs a type with this `execute` and resolves to its log lines. */
async function logged(execute: () => unknown) {
  const logger = aLogger();
  const description = { displayName: 'A', name: 'a', version: 1, properties: [] };
  const type = adaptNodeType({ description, execute } as unknown as CommunityNodeType);
  await type.execute?.(fakeContext({ over: { logger } }));
  return logger.lines;
}

describe('LoggerProxy', () => {
  test('is what packages import', () => {
    expect(workflowModule['LoggerProxy']).toBe(LoggerProxy);
  });

  test('writes to the log of the calling run at every level', async () => {
    const lines = await logged(() => {
      LoggerProxy.debug('one', { n: 1 });
      LoggerProxy.verbose('two');
      LoggerProxy.info('three');
      LoggerProxy.warn('four');
      LoggerProxy.error('five');
      return [[]];
    });
    expect(lines).toEqual([
      ['debug', 'one', { n: 1 }],
      ['debug', 'two', {}],
      ['info', 'three', {}],
      ['warn', 'four', {}],
      ['error', 'five', {}],
    ]);
  });

  test('separates concurrent runs', async () => {
    const saying = (text: string) => async () => {
      await setImmediate();
      LoggerProxy.info(text);
      return [[]];
    };
    expect(await Promise.all([logged(saying('a')), logged(saying('b'))])).toEqual([[['info', 'a', {}]], [['info', 'b', {}]]]);
  });

  test('cannot be redirected by a package', async () => {
    const theirs = aLogger();
    const lines = await logged(() => {
      (LoggerProxy.init as (logger: object) => void)(theirs);
      LoggerProxy.info('still here');
      return [[]];
    });
    expect([lines.length, theirs.lines.length]).toEqual([1, 0]);
  });

  test('writes to the process log outside of runs', () => {
    expect(() => LoggerProxy.info('dropped: there is none yet')).not.toThrow();
    const logger = aLogger();
    logModulesTo(logger);
    LoggerProxy.warn('at load', { file: 'x' });
    expect(logger.lines).toEqual([['warn', 'at load', { file: 'x' }]]);
  });
});
