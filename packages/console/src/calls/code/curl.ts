import { type ApiCall, headersOf, quoteForShell, tokenHeader, withoutLoneSurrogates } from './call.ts';

/** The call for a terminal; curl itself encodes the query, so that it stays readable. */
export function writeCurl(call: ApiCall): string {
  const { address, query = [], credential, body } = call;
  const verb = body !== undefined ? '-X POST ' : query.length > 0 ? '-G ' : '';
  const hasToken = credential.tokenHint !== undefined;
  const lines = [
    `curl ${verb}${quoteForShell(address)}`,
    ...headersOf(call).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(hasToken ? [`-H "${tokenHeader}: $TOKEN"`] : []),
    ...query.map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${withoutLoneSurrogates(value)}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(withoutLoneSurrogates(body))}`]),
  ];
  const token = hasToken ? `TOKEN=${quoteForShell(credential.tokenHint ?? '')}\n` : '';
  return token + lines.join(' \\\n  ');
}
