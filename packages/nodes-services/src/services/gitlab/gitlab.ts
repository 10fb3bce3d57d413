import { defineService } from '../../shared/define-service.ts';
import { file } from './file.ts';
import { authentication, credentials, gitlabClient } from './gitlab-client.ts';
import { issue, repository, user } from './issue.ts';

export const gitlab = defineService({
  displayName: 'GitLab',
  name: 'gitlab',
  version: 1,
  description: 'Reads and changes files and issues in GitLab',
  credentials,
  icon: 'fa:gitlab',
  iconColor: 'orange',
  client: gitlabClient,
  leading: [authentication],
  resources: { file, issue, repository, user },
  initial: 'issue',
});
