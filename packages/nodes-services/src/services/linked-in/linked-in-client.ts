import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export const linkedInClient = new ApiClient({
  service: 'LinkedIn',
  credentialType: (access) =>
    access.parameter<string>('authentication', 'standard') === 'communityManagement'
      ? 'linkedInCommunityManagementOAuth2Api'
      : 'linkedInOAuth2Api',
  baseUrl: 'https://api.linkedin.com',
  headers: { 'linkedin-version': '202601', 'x-restli-protocol-version': '2.0.0' },
  refusalOf({ status, body }) {
    const { code, message } = objectOf(body);
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { text: message }),
      ...(status === 403 && { hint: 'Check the products of the app, and whether the member administers the organization' }),
    };
  },
});
