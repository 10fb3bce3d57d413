import { documentActions } from './actions/document-actions.ts';
import { knowledgeActions } from './actions/knowledge-actions.ts';
import { messageActions } from './actions/message-actions.ts';
import { salesActions } from './actions/sales-actions.ts';
import type { ServiceAction } from './actions/service-action.ts';
import { workActions } from './actions/work-actions.ts';

/** Service → its workflow. */
export const serviceActions: Readonly<Record<string, ServiceAction>> = {
  ...documentActions,
  ...knowledgeActions,
  ...messageActions,
  ...salesActions,
  ...workActions,
};
