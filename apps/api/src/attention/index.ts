import { listAttention } from './list-attention.ts';

export const attentionRoutes = [listAttention];
