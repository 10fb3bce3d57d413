import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Lists the users of an AWS account.',
  needs: 'an access key of an AWS identity that may use the actions of IAM, such as `iam:ListUsers`',
  notes:
    'IAM is global: requests go to iam.amazonaws.com, whatever the region of the credential. A user with keys, policies, or groups cannot be deleted. A changed name takes a few seconds to appear everywhere.',
  parameters: { returnAll: true },
  inputs: [[{}]],
  outputs: [[{ UserName: 'ada', UserId: 'AIDA1', Path: '/', Arn: 'arn:aws:iam::1:user/ada' }]],
};
