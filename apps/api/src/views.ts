/** What the API shows of things, for those who show the same: types and plain functions, nothing that listens. */
export { toApiKeyView } from './api-keys/api-key-view.ts';
export { toUserView } from './users/user-view.ts';
