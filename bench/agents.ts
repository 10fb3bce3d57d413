import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { endChild, track } from './children.ts';
import { call, Fleet } from './fleet.ts';
import { rssMb } from './processes.ts';
import { startStack } from './stack.ts';
import { median, percentile, round } from './statistics.ts';

/*
 * The cost of agents, with one API process and one worker process; all data is saved:
 *
 *   streams  resident memory of the worker while 200 agents stream the answers of their models
 *   turn     milliseconds that one more agent turn with a tool call takes, compared with a direct
 *            call to the same loopback model; the cases alternate
 *
 * `--quick` makes a trial run with small numbers.
 */
const quick = process.argv.includes('--quick');
const requests = quick ? 30 : 300;
const streams = quick ? 50 : 200;
/** Turns of the longer agent run; by default, an agent makes at most 10. */
const turns = 9;

const stack = await startStack();
const model = track(fork(new URL('./model-server.ts', import.meta.url)));
const [modelPort] = (await once(model, 'message')) as [number];
const fleet = await Fleet.start(stack, { workers: 1, collectsGarbage: true, env: { SSRF_ALLOW: '127.0.0.1' } });
try {
  const data = { apiKey: 'k', url: `http://127.0.0.1:${modelPort}/v1` };
  const credential = await fleet.call<object>('POST', '/api/v1/credentials', { name: 'model', type: 'openAiApi', data });
  for (const [name, responseMode] of [
    ['1', 'lastNode'],
    [String(turns), 'lastNode'],
    ['slow', 'streaming'],
  ] as const)
    await fleet.activate({ name, settings: {}, ...anAgent(name, responseMode, credential) });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const report = { machine, streams: await measureStreams(), turn: await measureTurn() };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
} finally {
  await Promise.all([endChild(model), fleet.stop()]);
  await stack.stop();
}
process.exit(0);

function anAgent(name: string, responseMode: string, credential: object): object {
  const nodes = [
    { name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: { path: name, httpMethod: 'POST', responseMode } },
    { name: 'Agent', type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: 'hello' } },
    {
      name: 'Model',
      type: 'ai.lm-chat-open-ai',
      typeVersion: 1.2,
      parameters: { model: name },
      credentials: { openAiApi: credential },
    },
    { name: 'Think', type: 'ai.tool-think', typeVersion: 1, parameters: {} },
  ];
  const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
  const connections = { Webhook: to('main'), Model: to('ai_languageModel'), Think: to('ai_tool') };
  return { nodes: nodes.map((node, i) => ({ ...node, position: [i * 200, 0] })), connections };
}

async function measureTurn(): Promise<object> {
  const agent = new Agent({ keepAlive: true });
  const message = { model: '1', messages: [{ role: 'user', content: 'hello' }] };
  const cases = {
    bare: () => call(modelPort, 'POST', '/v1/chat/completions', message, agent),
    one: () => call(fleet.port, 'POST', '/webhook/1', {}, agent),
    many: () => call(fleet.port, 'POST', `/webhook/${turns}`, {}, agent),
  };
  const times = { bare: [] as number[], one: [] as number[], many: [] as number[] };
  for (let i = -10; i < requests; i += 1)
    for (const [name, run] of Object.entries(cases) as [keyof typeof cases, () => Promise<string>][]) {
      const startedAt = performance.now();
      await run();
      if (i >= 0) times[name].push(performance.now() - startedAt); // the first calls are a warm-up
    }
  agent.destroy();
  const [bare, one, many] = [median(times.bare), median(times.one), median(times.many)];
  const perTurn = (many - one) / (turns - 1);
  return {
    bareMs: round(bare),
    oneTurnMs: round(one),
    [`${turns}TurnsMs`]: round(many),
    perTurnMs: round(perTurn),
    addedPerTurnMs: round(perTurn - bare),
    p99Ms: { one: round(percentile(times.one, 0.99)), many: round(percentile(times.many, 0.99)) },
  };
}

async function measureStreams(): Promise<object> {
  const worker = fleet.workers[0]?.pid ?? 0;
  const before = rssMb(worker);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, rssMb(worker));
  }, 100);
  const bodies = await Promise.all(Array.from({ length: streams }, () => call(fleet.port, 'POST', '/webhook/slow', {})));
  clearInterval(timer);
  const complete = bodies.filter((body) => body.split('long answer').length === 21).length;
  if (complete < streams) throw new Error(`only ${complete} of ${streams} streams are complete: ${bodies[0]}`);
  model.send('report');
  const [atOnce] = (await once(model, 'message')) as [number];
  return { streams, atOnce, workerRssMb: { before: round(before, 0), peak: round(peak, 0) } };
}
