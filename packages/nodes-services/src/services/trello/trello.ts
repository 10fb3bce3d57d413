import { defineService } from '../../shared/define-service.ts';
import { board, boardMember, list } from './board.ts';
import { attachment, card, cardComment } from './card.ts';
import { checklist, label } from './checklist.ts';
import { trelloClient } from './trello-client.ts';

export const trello = defineService({
  displayName: 'Trello',
  name: 'trello',
  version: 1,
  description: 'Reads and changes boards, lists, and cards in Trello',
  credentials: [{ name: 'trelloApi', required: true }],
  icon: 'fa:columns',
  iconColor: 'blue',
  client: trelloClient,
  resources: { attachment, board, boardMember, card, cardComment, checklist, label, list },
  initial: 'card',
});
