/** Usage of AI nodes: calls, tokens, and cost in USD. */
export interface AiUse {
  modelCalls: number;
  toolCalls: number;
  tokens: number;
  cost: number;
}
