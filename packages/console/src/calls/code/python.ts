import { type ApiCall, headersOf, quoteString, tokenHeader, verbOf, withoutLoneSurrogates } from './call.ts';

/** The call for Python 3, by its standard library: it runs as it is pasted. */
export function writePython(call: ApiCall): string {
  const { address, query = [], credential, body, file } = call;
  const isGet = body === undefined && file === undefined;
  const headers = [
    ...headersOf(call).map(([name, value]) => `        ${quoteString(name)}: ${quoteString(value)},`),
    ...(credential.tokenHint === undefined ? [] : [`        ${quoteString(tokenHeader)}: token,`]),
  ];
  return [
    'import json',
    ...(query.length === 0 ? [] : ['from urllib.parse import urlencode']),
    'from urllib.request import Request, urlopen',
    '',
    ...(credential.tokenHint === undefined ? [] : [`token = ${quoteString(credential.tokenHint)}`]),
    ...(query.length === 0
      ? []
      : [
          'query = urlencode({',
          ...query.map(([name, value]) => `    ${quoteString(name)}: ${quoteString(withoutLoneSurrogates(value))},`),
          '})',
        ]),
    'request = Request(',
    `    ${quoteString(address)}${query.length === 0 ? '' : " + '?' + query"},`,
    ...(body === undefined ? [] : [`    data=${quoteString(withoutLoneSurrogates(body))}.encode(),`]),
    ...(file === undefined ? [] : [`    data=open(${quoteString(withoutLoneSurrogates(file))}, 'rb').read(),`]),
    ...(verbOf(call) === (isGet ? 'GET' : 'POST') ? [] : [`    method='${verbOf(call)}',`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ')',
    'with urlopen(request) as response:',
    '    print(json.dumps(json.load(response), indent=2))',
  ].join('\n');
}
