import { type Attacks, longQuestion } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  slack: () => [longQuestion({ select: 'channel', channelId: 'C1' })],
  'slack-trigger': () => [],
};
