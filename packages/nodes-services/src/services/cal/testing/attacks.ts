import type { Attacks } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'cal-trigger': () => [],
};
