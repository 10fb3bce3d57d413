import { type Attack, type Attacks, manyObjects } from '../../../testing/attack.ts';

const ids = { sessionId: 's', windowId: 'w', additionalFields: {} };
const attack = (name: string, parameters: Attack['parameters'], answer: Attack['answer']): Attack => ({
  name,
  parameters: { ...ids, ...parameters },
  answer,
});

export const attacks: Attacks = {
  airtop: () => [
    attack(
      'a large screenshot',
      { resource: 'window', operation: 'takeScreenshot', outputImageAsBinary: true },
      () => `{"meta":{"screenshots":[{"dataUrl":"data:image/png;base64,${'A'.repeat(12_000_000)}"}]}}`,
    ),
    attack(
      'a large answer in JSON',
      { resource: 'extraction', operation: 'query', prompt: 'x', additionalFields: { parseJsonOutput: true } },
      () => `{"data":{"modelResponse":${JSON.stringify(manyObjects(1_000_000))}}}`,
    ),
    attack('many errors', { resource: 'window', operation: 'list' }, () => `{"errors":${manyObjects(1_000_000)}}`),
  ],
};
