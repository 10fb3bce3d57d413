import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { createLogger, debugOnSignal, withFields } from './index.ts';

test('SIGUSR2 turns debug lines on and off, in loggers with fields too', () => {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const signals = new EventEmitter() as unknown as NodeJS.Process;
  const withId = withFields(logger, { executionId: '7' });
  const end = debugOnSignal(logger, signals);
  const write = () => withId.debug({}, 'detail');

  write();
  signals.emit('SIGUSR2');
  write();
  signals.emit('SIGUSR2');
  write();
  end();
  signals.emit('SIGUSR2');
  write();

  expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'detail')).toHaveLength(1);
});

test('lines have the fields of the calling code', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ name: 'test', level: 'info', destination, context: () => ({ traceId: 'abc' }) });
  logger.info({ executionId: '7' }, 'ended');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ traceId: 'abc', executionId: '7', msg: 'ended' }]);
});
