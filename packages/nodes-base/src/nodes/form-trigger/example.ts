import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A form at `/form/feedback`. A manual run outputs an empty item.',
  parameters: {
    formTitle: 'Feedback',
    formFields: {
      values: [
        { fieldLabel: 'Your address', fieldName: 'email', fieldType: 'email', requiredField: true },
        { fieldLabel: 'What should be better?', fieldName: 'wish', fieldType: 'textarea' },
      ],
    },
    options: { path: 'feedback' },
  },
  outputs: [[{}]],
};
