import type { NodePropertyOption } from '@sluice/node-sdk';

/** https://docs.github.com/webhooks/webhook-events-and-payloads */
const names = [
  ...['check_run', 'check_suite', 'code_scanning_alert', 'commit_comment', 'create', 'delete', 'deploy_key', 'deployment'],
  ...['deployment_status', 'discussion', 'discussion_comment', 'fork', 'github_app_authorization', 'gollum', 'installation'],
  ...['installation_repositories', 'issue_comment', 'issues', 'label', 'marketplace_purchase', 'member', 'membership', 'meta'],
  ...['milestone', 'org_block', 'organization', 'package', 'page_build', 'project', 'project_card', 'project_column', 'public'],
  ...['pull_request', 'pull_request_review', 'pull_request_review_comment', 'pull_request_review_thread', 'push', 'release'],
  ...['repository', 'repository_dispatch', 'repository_import', 'repository_vulnerability_alert', 'security_advisory', 'star'],
  ...['status', 'team', 'team_add', 'watch', 'workflow_dispatch', 'workflow_job', 'workflow_run'],
];

export const githubEvents: readonly NodePropertyOption[] = [
  { value: '*', name: '*', description: 'All events' },
  ...names.map((value) => ({ value, name: value })),
];
