import type { Call } from '../call/call.ts';
import { type Exchange, withRequest } from '../call/exchange.ts';
import { authorizeCall } from './authorize.ts';
import { matchOperation } from './match.ts';
import type { Platform } from './platform.ts';

/** Runs the scripts of people around the operation (contract/event-scripts-and-script-services.md §1). */
const applies = (call: Call, { scripts }: Platform): boolean => scripts.mayListen(call);

export const beforeScripts = {
  applies,
  async run(exchange: Exchange, platform: Platform): Promise<void> {
    const { verb } = await platform.scripts.runBefore(exchange);
    if (verb === undefined || exchange.reply) return;
    // Another verb is another operation, which the caller may not be allowed.
    exchange.call = withRequest(exchange.call, { verb });
    await authorizeCall(exchange.call, platform);
    await matchOperation(exchange.call, platform);
  },
};

export const afterScripts = {
  applies,
  run: (exchange: Exchange, { scripts }: Platform): Promise<void> => scripts.runAfter(exchange),
};
