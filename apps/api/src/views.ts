/** Views of the API, for other programs: types and pure functions. */
export { toApiKeyView } from './api-keys/api-key-view.ts';
export { toUserView } from './users/user-view.ts';
