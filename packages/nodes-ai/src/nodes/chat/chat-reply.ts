import { type ExecuteContext, type JsonObject, ownProperty } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, coercedText, textParameter } from '@sluice/nodes-base/node-tools';

/** Labels for approval and disapproval. */
interface Approval {
  approve: string;
  disapprove?: string;
}

/** Whether the node waits for the user's next message. */
export function waitsForReply(context: ExecuteContext): boolean {
  if (context.typeVersion < 1.1) return booleanParameter(context, 'waitUserReply', 0, true);
  return choiceParameter(context, 'operation', 0, ['send', 'sendAndWait'], 'send') === 'sendAndWait';
}

/** The message. If it requests an approval, it also explains how to reply. */
export function askedText(context: ExecuteContext, itemIndex: number, message: string): string {
  const approval = approvalOf(context, itemIndex);
  if (!approval) return message;
  const { approve, disapprove } = approval;
  return `${message}\n\nReply "${approve}"${disapprove === undefined ? '' : ` or "${disapprove}"`}.`;
}

/**
 * The output JSON for a reply. Version 1.1 puts all of it in `data`; since 1.2, `data` has only the
 * decision. Text that is neither label disapproves.
 */
export function replyJson(context: ExecuteContext, reply: JsonObject): JsonObject {
  const approval = waitsForReply(context) ? approvalOf(context, 0) : undefined;
  if (!approval) return context.typeVersion === 1.1 ? { data: reply } : reply;
  const text = coercedText(ownProperty(reply, 'chatInput'));
  const approved = isSame(text, approval.approve);
  const isChoice = approved || (approval.disapprove !== undefined && isSame(text, approval.disapprove));
  const isTextHidden = isChoice || booleanParameter(context, 'blockUserInput', 0, false);
  const written = isTextHidden ? {} : reply;
  return context.typeVersion === 1.1 ? { data: { ...written, approved } } : { ...written, data: { approved } };
}

const isSame = (reply: string, label: string) => reply.trim().toLowerCase() === label.trim().toLowerCase();

const labels = 'approvalOptions.values';

function approvalOf(context: ExecuteContext, itemIndex: number): Approval | undefined {
  if (context.typeVersion < 1.1 || !waitsForReply(context)) return undefined;
  const kinds = ['freeTextChat', 'freeText', 'approval'] as const;
  if (choiceParameter(context, 'responseType', itemIndex, kinds, 'freeTextChat') !== 'approval') return undefined;
  const approve = textParameter(context, `${labels}.approveLabel`, itemIndex) || 'Approve';
  const type = choiceParameter(context, `${labels}.approvalType`, itemIndex, ['single', 'double'], 'double');
  if (type === 'single') return { approve };
  return { approve, disapprove: textParameter(context, `${labels}.disapproveLabel`, itemIndex) || 'Disapprove' };
}
