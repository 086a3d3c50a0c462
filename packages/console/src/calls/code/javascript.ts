import { type ApiCall, headersOf, quoteString, tokenHeader, verbOf, withoutLoneSurrogates } from './call.ts';

/** The call for a browser or Node. Without `await` at the top, which a file that is no module does not have. */
export function writeJavaScript(call: ApiCall): string {
  const { address, query = [], credential, body, file } = call;
  const headers = [
    ...headersOf(call).map(([name, value]) => `    ${quoteString(name)}: ${quoteString(value)},`),
    ...(credential.tokenHint === undefined ? [] : [`    ${quoteString(tokenHeader)}: token,`]),
  ];
  const options = [
    ...(verbOf(call) === 'GET' ? [] : [`  method: '${verbOf(call)}',`]),
    ...(body === undefined ? [] : [`  body: ${quoteString(withoutLoneSurrogates(body))},`]),
    // Of an input in a page; in Node: await openAsBlob(name).
    ...(file === undefined ? [] : ["  body: document.querySelector('input[type=file]').files[0],"]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
  ];
  return [
    ...(credential.tokenHint === undefined ? [] : [`const token = ${quoteString(credential.tokenHint)};`]),
    ...(query.length === 0
      ? []
      : [
          'const query = new URLSearchParams({',
          ...query.map(([name, value]) => `  ${propertyName(name)}: ${quoteString(withoutLoneSurrogates(value))},`),
          '});',
        ]),
    `fetch(${quoteString(address)}${query.length === 0 ? '' : " + '?' + query"}, {`,
    ...options,
    '})',
    '  .then((response) => response.json())',
    '  .then((answer) => console.log(JSON.stringify(answer, null, 2)));',
  ].join('\n');
}

const propertyName = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoteString(name));
