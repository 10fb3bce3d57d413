import { googleClient } from '../../shared/google-client.ts';
import { cursorPaging } from '../../shared/paging.ts';

/** https://developers.google.com/workspace/tasks/reference/rest */
export const tasksClient = googleClient('Google Tasks', 'https://tasks.googleapis.com/tasks/v1', 'googleTasksOAuth2Api');

export const pages = cursorPaging('items', 'nextPageToken', 'pageToken');
