import { type ApiCall, headersOf, quoteForShell, tokenHeader, verbOf, withoutLoneSurrogates } from './call.ts';

/** The call for a terminal; curl itself encodes the query, so that it stays readable. */
export function writeCurl(call: ApiCall): string {
  const { address, query = [], credential, body, file } = call;
  const isGet = verbOf(call) === 'GET';
  const verb = isGet ? (query.length > 0 ? '-G ' : '') : `-X ${verbOf(call)} `;
  // curl takes a query out of its data for a GET alone.
  const parameters = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, withoutLoneSurrogates(value)]),
  ).toString();
  const place = isGet || query.length === 0 ? address : `${address}?${parameters}`;
  const hasToken = credential.tokenHint !== undefined;
  const lines = [
    `curl ${verb}${quoteForShell(place)}`,
    ...headersOf(call).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(hasToken ? [`-H "${tokenHeader}: $TOKEN"`] : []),
    ...(isGet ? query : []).map(
      ([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${withoutLoneSurrogates(value)}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quoteForShell(withoutLoneSurrogates(body))}`]),
    ...(file === undefined ? [] : [`--data-binary ${quoteForShell(`@${withoutLoneSurrogates(file)}`)}`]),
  ];
  const token = hasToken ? `TOKEN=${quoteForShell(credential.tokenHint ?? '')}\n` : '';
  return token + lines.join(' \\\n  ');
}
