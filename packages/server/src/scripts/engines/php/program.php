<?php

// Runs one script of PHP: the process that `php` starts ahead, for one run. It talks with the server by lines of JSON over
// descriptor 3 (scripts/confined/). The script is evaluated in a function of `$event`, by reference, and `$platform`
// (contract/event-scripts-and-script-services.md §4), in lines of its own.

namespace Sluice;

const ENCODING = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE;
const DEPTH = 512;

/** Statuses of the exceptions that fail a call with one, by name; scripts may leave out their namespace. */
const EXCEPTIONS = [
    'BadRequestException' => 400,
    'UnauthorizedException' => 401,
    'InvalidJsonException' => 400,
    'BatchException' => 500,
    'ForbiddenException' => 403,
    'NotFoundException' => 404,
    'ConflictResourceException' => 409,
    'TooManyRequestsException' => 429,
    'InternalServerErrorException' => 500,
    'NotImplementedException' => 501,
    'ServiceUnavailableException' => 503,
];

/** Options that scripts name by constants, which are there only with the extension for curl. */
const CURL_OPTIONS = [
    'CONNECTTIMEOUT', 'CONNECTTIMEOUT_MS', 'COOKIE', 'CUSTOMREQUEST', 'ENCODING', 'FOLLOWLOCATION', 'HEADER', 'HTTPAUTH',
    'HTTPGET', 'HTTPHEADER', 'MAXREDIRS', 'NOBODY', 'POST', 'POSTFIELDS', 'PUT', 'REFERER', 'RETURNTRANSFER', 'SSL_VERIFYHOST',
    'SSL_VERIFYPEER', 'SSLVERSION', 'TIMEOUT', 'TIMEOUT_MS', 'URL', 'USERAGENT', 'USERNAME', 'PASSWORD', 'USERPWD',
];

/** Functions that are methods, members and keys: `$api->get(…)`, `$get = $api->get`, `$api['get'](…)`. */
final class Functions implements \ArrayAccess
{
    public function __construct(private array $functions)
    {
    }

    public function __call(string $name, array $arguments): mixed
    {
        return $this->offsetGet($name)(...$arguments);
    }

    public function __get(string $name): \Closure
    {
        return $this->offsetGet($name);
    }

    public function __isset(string $name): bool
    {
        return $this->offsetExists($name);
    }

    public function offsetExists(mixed $name): bool
    {
        return isset($this->functions[$name]);
    }

    public function offsetGet(mixed $name): \Closure
    {
        return $this->functions[$name] ?? throw new \Error("There is no function $name()");
    }

    public function offsetSet(mixed $name, mixed $function): void
    {
        throw new \Error('Functions of the platform cannot be replaced');
    }

    public function offsetUnset(mixed $name): void
    {
        throw new \Error('Functions of the platform cannot be replaced');
    }
}

/** Descriptor 3, what is printed, and what is sent at last. */
final class Run
{
    /** @var resource */
    private static $channel;
    private static int $process;
    private static int $lastId = 0;
    private static string $printed = '';
    private static float $passedAt = 0;
    private static int $limit = 0;
    private static string $before = '';
    private static ?array $outcome = null;
    private static ?string $spare;
    public static string $script = '';
    public static mixed $event = null;

    public static function open(): void
    {
        self::$channel = fopen('php://fd/3', 'r+');
        self::$process = getmypid();
        // For what is to be done when there is no memory left.
        self::$spare = str_repeat('x', 262144);
        register_shutdown_function(self::end(...));
        ob_start(self::print(...), 1);
        set_error_handler(self::warn(...));
    }

    public static function receive(): array
    {
        $line = fgets(self::$channel);
        if ($line === false) {
            self::$outcome = ['kind' => 'gone'];
            exit;
        }
        return json_decode($line, true);
    }

    private static function send(array $frame): void
    {
        $text = json_encode($frame, ENCODING) . "\n";
        for ($done = 0; $done < strlen($text); $done += $count) {
            $count = fwrite(self::$channel, $done === 0 ? $text : substr($text, $done));
            if (!$count) {
                return;
            }
        }
    }

    /** Asks the server for something; answers a JSON text or null. */
    public static function call(string $name, mixed $argument): ?string
    {
        $text = to_json($argument);
        self::pass();
        self::send(['kind' => 'call', 'id' => ++self::$lastId, 'name' => $name, 'argument' => $text]);
        return self::receive()['answer'];
    }

    /** What is printed, passed on in parts: at once where a while has gone by, else when there is much. */
    private static function print(string $text): string
    {
        self::$printed .= $text;
        if (strlen(self::$printed) > 16384 || microtime(true) - self::$passedAt > 0.1) {
            self::pass();
        }
        return '';
    }

    private static function pass(): void
    {
        $text = self::$printed;
        self::$printed = '';
        self::$passedAt = microtime(true);
        if ($text !== '' && getmypid() === self::$process) {
            self::send(['kind' => 'call', 'id' => ++self::$lastId, 'name' => 'log', 'argument' => json_encode($text, ENCODING)]);
        }
    }

    private static function warn(int $level, string $message, string $file, int $line): bool
    {
        $word = $level & (E_WARNING | E_USER_WARNING) ? 'Warning' : ($level & (E_DEPRECATED | E_USER_DEPRECATED) ? 'Deprecated' : 'Notice');
        if (error_reporting() & $level) {
            self::print("$word: $message" . (is_script($file) ? " (line $line)" : '') . "\n");
        }
        return true;
    }

    public static function main(): void
    {
        $start = self::receive();
        self::$limit = $start['result'];
        self::$script = preg_replace('/^(\s*)<\?php\b/', '$1', $start['script']) ?? $start['script'];
        self::$before = $start['event'];
        $event = read_json(self::$before);
        self::$event = &$event;
        $platform = new \ArrayObject([
            'api' => new Functions(api()),
            'store' => new Functions(store()),
            'config' => read_json($start['config']),
            'session' => read_json($start['session']),
        ], \ArrayObject::ARRAY_AS_PROPS);
        try {
            $returned = run_script($event, $platform);
            self::finish($event, $returned);
        } catch (\Throwable $error) {
            self::$outcome = read_exception($error);
        }
        exit;
    }

    private static function finish(mixed $event, mixed $returned): void
    {
        try {
            if (!is_array($event) && !is_object($event)) {
                self::$outcome = ['kind' => 'noEvent'];
                return;
            }
            $texts = ['event' => to_json((object) restore($event, read_json(self::$before, false)))];
            if ($returned !== null) {
                $texts['returned'] = to_json($returned);
            }
            $isTooLong = strlen(implode($texts)) > self::$limit && count_characters(implode($texts)) > self::$limit;
            self::$outcome = $isTooLong ? ['kind' => 'tooMuchResult'] : ['kind' => 'done', ...$texts];
        } catch (\JsonException $error) {
            self::$outcome = ['kind' => 'thrown', 'message' => 'What the script left is no JSON: ' . $error->getMessage()];
        }
    }

    /** However the script ended: with its last line, by `exit`, or because PHP gave up. */
    private static function end(): void
    {
        self::$spare = null;
        if (getmypid() !== self::$process) {
            return;
        }
        $error = error_get_last();
        if ($error && $error['type'] & (E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_PARSE)) {
            $isMemory = preg_match('/^(Allowed memory size|Out of memory)/', $error['message']);
            self::$outcome = $isMemory ? ['kind' => 'memory'] : ['kind' => 'thrown', 'message' => with_line($error['message'], $error['file'], $error['line'])];
        } elseif (self::$outcome === null) {
            self::finish(self::$event, null);
        }
        while (ob_get_level() > 0) {
            ob_end_flush();
        }
        self::pass();
        self::send(self::$outcome);
    }
}

/** What is evaluated sees these variables and no other. */
function run_script(&$event, $platform)
{
    return eval(Run::$script);
}

function api(): array
{
    $call = function (string $verb, string $path, mixed $payload = null, mixed $options = null): array {
        $request = array_filter(compact('verb', 'path', 'payload', 'options'), fn ($value) => $value !== null);
        $answer = read_json(Run::call('api', $request));
        unset($answer['text']);
        return $answer;
    };
    return [
        'get' => fn (string $path, mixed $payload = null, mixed $options = null) => $call('GET', $path, $payload, $options),
        'post' => fn (string $path, mixed $payload = null, mixed $options = null) => $call('POST', $path, $payload, $options),
        'put' => fn (string $path, mixed $payload = null, mixed $options = null) => $call('PUT', $path, $payload, $options),
        'patch' => fn (string $path, mixed $payload = null, mixed $options = null) => $call('PATCH', $path, $payload, $options),
        'delete' => fn (string $path, mixed $payload = null, mixed $options = null) => $call('DELETE', $path, $payload, $options),
        'call' => $call,
    ];
}

function store(): array
{
    return [
        'get' => function (string $key, mixed $default = null): mixed {
            $answer = Run::call('get', $key);
            return $answer === null ? $default : read_json($answer);
        },
        'set' => function (string $key, mixed $value): void {
            Run::call('set', [$key, $value]);
        },
    ];
}

function read_json(string $text, bool $hasArrays = true): mixed
{
    $value = json_decode($text, $hasArrays, DEPTH);
    // Half of a pair of surrogates is a text to JSON, but none in UTF-8.
    if (json_last_error() === JSON_ERROR_UTF16) {
        $text = preg_replace('/\\\\(?:ud[89ab]..\\\\ud[c-f]..|[^u]|u(?!d[89a-f]))(*SKIP)(*FAIL)|\\\\ud[89a-f]../i', '\ufffd', $text);
        $value = json_decode($text, $hasArrays, DEPTH);
    }
    return $value;
}

/** A value whose lists are objects again where they were: PHP has one kind. `$before` has them as objects. */
function restore(mixed $value, mixed $before): mixed
{
    if (!is_array($value) || !(is_array($before) || is_object($before))) {
        return $value;
    }
    $members = (array) $before;
    foreach ($members as $name => $member) {
        if (is_array($value[$name] ?? null)) {
            $value[$name] = restore($value[$name], $member);
        }
    }
    $isList = $value === [] || ($members !== [] && array_is_list($members) && array_is_list($value));
    return is_object($before) && $isList ? (object) $value : $value;
}

function to_json(mixed $value): string
{
    try {
        return json_encode($value, ENCODING | JSON_THROW_ON_ERROR, DEPTH);
    } catch (\JsonException $error) {
        if ($error->getCode() !== JSON_ERROR_INF_OR_NAN) {
            throw $error;
        }
        return json_encode(without_infinity($value), ENCODING | JSON_THROW_ON_ERROR, DEPTH);
    }
}

/** A number that is none or beyond all is null, as in JavaScript. */
function without_infinity(mixed $value): mixed
{
    if (is_array($value)) {
        return array_map(without_infinity(...), $value);
    }
    if ($value instanceof \stdClass) {
        return (object) array_map(without_infinity(...), (array) $value);
    }
    return is_float($value) && !is_finite($value) ? null : $value;
}

/** What was thrown: its text and, of an error of PHP itself, the line of the script. */
function read_exception(\Throwable $error): array
{
    $message = $error->getMessage() ?: get_class($error);
    $frame = ['kind' => 'thrown', 'message' => $error instanceof \Error ? with_line($message, $error->getFile(), $error->getLine()) : $message];
    $status = method_exists($error, 'getStatusCode') ? $error->getStatusCode() : ($error->status_code ?? null);
    if (is_int($status)) {
        $frame['statusCode'] = $status;
    }
    $code = $error->getCode();
    if ($code !== 0 && (is_int($code) || is_string($code))) {
        $frame['code'] = $code;
    }
    return $frame;
}

function with_line(string $message, string $file, int $line): string
{
    return is_script($file) ? "$message (line $line)" : $message;
}

function is_script(string $file): bool
{
    return str_ends_with($file, "eval()'d code");
}

function count_characters(string $text): int
{
    return preg_match_all('/[\x00-\x7f\xc0-\xff]/', $text);
}

/** Classes by the names that scripts use: each is made when it is asked for, so that a script may have one of that name. */
spl_autoload_register(function (string $class): void {
    $name = preg_replace('/^DreamFactory\\\\Core\\\\Exceptions\\\\/', '', $class);
    if ($name === 'RestException') {
        class_alias(RestException::class, $class);
    } elseif (isset(EXCEPTIONS[$name])) {
        $parts = explode('\\', $class);
        $namespace = implode('\\', array_slice($parts, 0, -1));
        $status = EXCEPTIONS[$name];
        eval(($namespace === '' ? '' : "namespace $namespace;") . "class $name extends \\Sluice\\StatusException { protected int \$status = $status; }");
    }
});

/** Fails the call with a status. */
class RestException extends \Exception
{
    public function __construct(protected int $status = 500, ?string $message = null, ?int $code = null, ?\Throwable $previous = null, public mixed $context = null)
    {
        parent::__construct($message ?? '', $code ?? 0, $previous);
    }

    public function getStatusCode(): int
    {
        return $this->status;
    }
}

/** One whose class says the status. */
class StatusException extends RestException
{
    public function __construct(?string $message = null, ?int $code = null, ?\Throwable $previous = null, mixed $context = null)
    {
        parent::__construct($this->status, $message, $code, $previous, $context);
    }
}

foreach (CURL_OPTIONS as $name) {
    defined("CURLOPT_$name") || define("CURLOPT_$name", "CURLOPT_$name");
}

Run::open();
Run::main();
