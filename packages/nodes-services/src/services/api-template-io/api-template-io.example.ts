import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates an invoice as a PDF.',
  needs: 'an APITemplate.io account and its API key (API Integration), and a template',
  notes:
    'Each file counts toward the plan of the account. The address of the file is public and expires with the settings of the template.',
  parameters: {
    resource: 'pdf',
    pdfTemplateId: 'abc123',
    jsonParameters: true,
    propertiesJson: '{"customer":"Ada","total":120}',
  },
  inputs: [[{}]],
  outputs: [[{ status: 'success', download_url: 'https://files.example/invoice.pdf', transaction_ref: 't1' }]],
};
