import { type ApiCall, headersOf, tokenHeader, verbOf, withoutLoneSurrogates } from './call.ts';

/** The call for PHP, by its own functions: it runs as it is pasted, and shows what a refusal says. */
export function writePhp(call: ApiCall): string {
  const { address, query = [], credential, body, file } = call;
  const headers = [
    ...headersOf(call).map(([name, value]) => `            ${quoteForPhp(`${name}: ${value}`)},`),
    ...(credential.tokenHint === undefined ? [] : [`            ${quoteForPhp(`${tokenHeader}: `)} . $token,`]),
  ];
  return [
    '<?php',
    ...(credential.tokenHint === undefined ? [] : [`$token = ${quoteForPhp(credential.tokenHint)};`]),
    ...(query.length === 0
      ? []
      : [
          '$query = http_build_query([',
          ...query.map(([name, value]) => `    ${quoteForPhp(name)} => ${quoteForPhp(withoutLoneSurrogates(value))},`),
          ']);',
        ]),
    '$context = stream_context_create([',
    "    'http' => [",
    `        'method' => ${quoteForPhp(verbOf(call))},`,
    ...(headers.length === 0 ? [] : ["        'header' => [", ...headers, '        ],']),
    ...(body === undefined ? [] : [`        'content' => ${quoteForPhp(withoutLoneSurrogates(body))},`]),
    ...(file === undefined
      ? []
      : [`        'content' => file_get_contents(${quoteForPhp(withoutLoneSurrogates(file))}),`]),
    "        'ignore_errors' => true,",
    '    ],',
    ']);',
    `echo file_get_contents(${quoteForPhp(address)}${query.length === 0 ? '' : " . '?' . $query"}, false, $context);`,
  ].join('\n');
}

/** Between single quotes PHP knows two escapes. */
const quoteForPhp = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
