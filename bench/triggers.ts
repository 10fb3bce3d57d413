import { cpus } from 'node:os';
import { measureActivations } from './activations.ts';
import { measureDueWaits } from './due-waits.ts';
import { Fleet } from './fleet.ts';
import { startStack } from './stack.ts';

/*
 * The cost of many triggers and waits, with processes as in production:
 *
 *   waits delay in milliseconds of 10,000 timer waits that become due within one minute; one API
 *                process and three workers
 *   activations seconds to activate 1,000 workflows with one schedule each, and the additional
 *   memory
 *                of the API process and of a worker
 *
 * `--quick` makes a trial run with a tenth of these numbers.
 */
const quick = process.argv.includes('--quick');
const waits = quick ? { waits: 1_000, windowMs: 6_000 } : { waits: 10_000, windowMs: 60_000 };
const workflows = quick ? 100 : 1_000;

const report = {
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version },
  activations: await onFleet({ workers: 1, collectsGarbage: true }, (fleet) => measureActivations(fleet, workflows)),
  waits: await onFleet({ workers: 3 }, (fleet) => measureDueWaits(fleet, waits)),
};
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
process.exit(0);

async function onFleet(options: Parameters<typeof Fleet.start>[1], measure: (fleet: Fleet) => Promise<object>) {
  const stack = await startStack();
  try {
    const fleet = await Fleet.start(stack, options);
    try {
      return await measure(fleet);
    } finally {
      await fleet.stop();
    }
  } finally {
    await stack.stop();
  }
}
