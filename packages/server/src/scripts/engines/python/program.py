# Runs one script of Python: the process that `python` starts ahead, for one run. It talks with the server by lines of JSON over
# descriptor 3 (scripts/confined/). The script is the body of a function of `event` and `platform`
# (contract/event-scripts-and-script-services.md §4), in lines of its own.
import _thread
import builtins
import io
import json
import math
import os
import re
import sys
import time


class Data(dict):
    """A JSON object whose members are attributes, too. The methods of a dictionary go before members of their names."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError('there is no member ' + repr(name)) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError('there is no member ' + repr(name)) from None


class Functions:
    """Functions that are attributes and keys."""

    def __getitem__(self, name):
        return getattr(self, name)


class ScriptError(Exception):
    """Fails the call with a status and code of the script's choice."""

    def __init__(self, message='', status_code=500, code=None):
        super().__init__(message)
        self.status_code = status_code
        self.code = code


def parse(text):
    return json.loads(text, object_hook=Data)


def plain(value):
    """What JSON has no word for, as something that it has."""
    if isinstance(value, BaseException):
        return {'message': str(value), 'status_code': getattr(value, 'status_code', 500), 'code': getattr(value, 'code', None)}
    if isinstance(value, (bytes, bytearray)):
        return value.decode('utf-8')
    if hasattr(value, 'isoformat'):
        return value.isoformat()
    if hasattr(value, 'as_tuple'):
        return (int(value) if value == value.to_integral_value() else float(value)) if value.is_finite() else None
    if hasattr(value, '__iter__'):
        return list(value)
    raise TypeError('what the script left has a value that is no JSON: ' + type(value).__name__)


def without_infinity(value):
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: without_infinity(member) for name, member in value.items()}
    return [without_infinity(item) for item in value] if isinstance(value, (list, tuple)) else value


def to_json(value, dumps=json.dumps):
    try:
        return dumps(value, ensure_ascii=False, allow_nan=False, separators=(',', ':'), default=plain)
    except ValueError as error:
        # A number that is none or beyond all is null, as in JavaScript.
        if 'JSON compliant' not in str(error):
            raise
        return dumps(without_infinity(value), ensure_ascii=False, separators=(',', ':'), default=plain)


class Channel:
    """Descriptor 3, for one thread at a time. Another process of the script has no part in it."""

    def __init__(self, write=os.write):
        os.set_inheritable(3, False)
        self.input = open(3, 'rb', closefd=False)
        self.pid = os.getpid()
        self.lock = _thread.allocate_lock()
        self.last_id = 0
        self.write = write

    def receive(self):
        line = self.input.readline()
        if not line:
            os._exit(0)
        return json.loads(line)

    def send(self, frame, dumps=json.dumps):
        if os.getpid() != self.pid:
            os._exit(0)
        # Half of a pair of surrogates is a text to JSON, but nothing in UTF-8.
        text = dumps(frame, ensure_ascii=False)
        try:
            rest = memoryview(text.encode() + b'\n')
        except UnicodeEncodeError:
            rest = memoryview(dumps(frame).encode() + b'\n')
        while rest:
            rest = rest[self.write(3, rest):]

    def call(self, name, argument):
        text = to_json(argument)
        with self.lock:
            self.last_id += 1
            self.send({'kind': 'call', 'id': self.last_id, 'name': name, 'argument': text})
            if name != 'log':
                return self.receive()['answer']


class Log(io.BufferedIOBase):
    """What is printed, passed on in parts: at once where a while has gone by, else when there is much."""

    def __init__(self, channel):
        self.channel = channel
        self.parts = []
        self.size = 0
        self.passed = 0

    def writable(self):
        return True

    def write(self, data):
        self.parts.append(bytes(data))
        self.size += len(data)
        if self.size > 16384 or time.monotonic() - self.passed > 0.1:
            self.flush()
        return len(data)

    def flush(self):
        data = b''.join(self.parts)
        self.parts, self.size, self.passed = [], 0, time.monotonic()
        if os.getpid() != self.channel.pid:
            os.write(1, data)
        elif data:
            self.channel.call('log', data.decode('utf-8', 'replace'))


class Body(io.StringIO):
    """A text that is read as that of an HTTP response; `decode()` of what it reads is that again."""

    class Text(str):
        def decode(self, *_, **__):
            return self

    def read(self, *size):
        return Body.Text(super().read(*size))


class Response:
    """What `platform.api` answers: an HTTP response with status, headers and a text to read."""

    def __init__(self, answer):
        self.status = self.status_code = self.code = answer['status_code']
        self.headers = Data(answer.get('headers') or {})
        self.content_type = answer.get('content_type')
        self.text = answer.get('text', '')
        self.read = Body(self.text).read

    def json(self):
        return parse(self.text)

    def getheader(self, name, default=None):
        return self.headers.get(name.lower(), default)

    def getheaders(self):
        return list(self.headers.items())


class Api(Functions):
    def __init__(self, channel):
        self._channel = channel

    def call(self, verb, path, payload=None, options=None):
        if isinstance(payload, (str, bytes)):
            payload = body_value(payload)
        request = {'verb': str(verb), 'path': str(path), 'payload': payload, 'options': options}
        answer = self._channel.call('api', {name: value for name, value in request.items() if value is not None})
        return Response(json.loads(answer))

    def get(self, path, options=None):
        return self.call('GET', path, None, options)

    def post(self, path, payload=None, options=None):
        return self.call('POST', path, payload, options)

    def put(self, path, payload=None, options=None):
        return self.call('PUT', path, payload, options)

    def patch(self, path, payload=None, options=None):
        return self.call('PATCH', path, payload, options)

    def delete(self, path, payload=None, options=None):
        return self.call('DELETE', path, payload, options)


def body_value(text):
    """A payload may be the text of a body: JSON is what it says."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Store(Functions):
    def __init__(self, channel):
        self._channel = channel

    def get(self, key, default=None):
        answer = self._channel.call('get', str(key))
        return default if answer is None else parse(answer)

    def set(self, key, value):
        self._channel.call('set', [str(key), value])


SCRIPT = 'script'
HEAD = compile('def script(event, platform): pass', SCRIPT, 'exec', 0x400)

# What Python 2 has and 3 has not, each with what 3 has in its place.
PYTHON_2 = [
    (r'\bprint\s*>>\s*[^,;\n]+,?', 'print '),
    (r'^(\s*(?:.*[:;]\s*)?)(print|exec)\b(?!\s*\()[ \t]*([^\n;]*)', r'\1\2(\3)'),
    (r'\bexcept\s+([^:\n]+?)\s*,\s*(\w+)\s*:', r'except \1 as \2:'),
    (r'\braise\s+([\w.]+)\s*,\s*([^\n;]+)', r'raise \1(\2)'),
    (r'`([^`\n]*)`', r'repr(\1)'),
    (r'<>', '!='),
    (r'(?<![\w.])0(?=[0-7]+\b)', '0o'),
    (r'\b(\d+|0[xX][0-9a-fA-F]+)[lL]\b', r'\1'),
    (r'\b[uU][rR](?=[\'"])', 'r'),
    (r'\blambda\s*\(([^()\n]*)\)\s*:', r'lambda \1:'),
]


def compile_tree(text):
    return compile(text, SCRIPT, 'exec', 0x400)


def is_python_2(text):
    for pattern, replacement in PYTHON_2:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        try:
            compile_tree(text)
            return True
        except (SyntaxError, ValueError):
            pass
    return False


def compile_script(text, namespace):
    """The script as a function. Its lines keep their numbers and its texts their blanks: nothing is put around them."""
    parts = compile_tree(text).body
    # These are allowed outside of functions alone.
    outside = [part for part in parts if is_module_import(part)]
    inside = [part for part in parts if not is_module_import(part)]
    function = HEAD.body[0]
    if inside:
        function.body = inside
    HEAD.body = outside + [function]
    exec(compile(HEAD, SCRIPT, 'exec', dont_inherit=True), namespace)
    return namespace['script']


def is_module_import(part):
    return type(part).__name__ == 'ImportFrom' and (part.module == '__future__' or part.names[0].name == '*')


def read_syntax_error(error, text):
    message = str(error.msg) + (' (line %d)' % error.lineno if error.lineno else '')
    if is_python_2(text):
        message = 'The script is written in Python 2, and scripts are run by Python 3: ' + message
    return {'kind': 'thrown', 'message': message}


def read_exception(error):
    """What was thrown: its text and, where Python itself threw it in a line of the script, what it is and the line."""
    if isinstance(error, MemoryError):
        return {'kind': 'memory'}
    message = str(error)
    line, is_raised = find_line(error.__traceback__)
    if not is_raised and line:
        message = '%s: %s (line %d)' % (type(error).__name__, message, line)
    frame = {'kind': 'thrown', 'message': message or type(error).__name__}
    status, code = getattr(error, 'status_code', None), getattr(error, 'code', None)
    if type(status) is int:
        frame['statusCode'] = status
    if type(code) in (int, str):
        frame['code'] = code
    return frame


def find_line(trace):
    """The last line of the script that led to an exception, and whether it says `raise`."""
    line, is_raised = None, False
    while trace:
        if trace.tb_frame.f_code.co_filename == SCRIPT:
            line = trace.tb_lineno
        is_raised = trace.tb_next is None and is_raise(trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return line, is_raised


def is_raise(code, position):
    from opcode import opmap

    return code.co_filename == SCRIPT and code.co_code[position] in (opmap.get('RAISE_VARARGS'), opmap.get('RERAISE'))


def run(channel, start, log):
    event = parse(start['event'])
    platform = Data(
        api=Api(channel),
        store=Store(channel),
        config=parse(start['config']),
        session=parse(start['session']),
    )
    text = start['script']
    namespace = {'__name__': SCRIPT, '__builtins__': builtins, 'ScriptError': ScriptError}
    try:
        function = compile_script(text, namespace)
    except SyntaxError as error:
        return read_syntax_error(error, text)
    except (ValueError, MemoryError, RecursionError) as error:
        return read_exception(error)
    try:
        returned = function(event, platform)
    except SystemExit as error:
        if error.code not in (None, 0):
            log.flush()
            os._exit(error.code & 255 if isinstance(error.code, int) else 1)
        returned = None
    except MemoryError:
        return {'kind': 'memory'}
    except BaseException as error:
        frame = read_exception(error)
        if frame['kind'] == 'thrown':
            print_trace(error)
        return frame
    return finish(event, None if returned is event else returned, start['result'])


def print_trace(error):
    import traceback

    trace = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == SCRIPT]
    lines = ['  line %d, in %s\n' % (entry.lineno, entry.name) for entry in trace]
    sys.stderr.write(''.join(lines + traceback.format_exception_only(type(error), error)))


def finish(event, returned, limit, to_json=to_json):
    try:
        texts = [to_json(event)] + ([] if returned is None else [to_json(returned)])
    except MemoryError:
        return {'kind': 'memory'}
    except (TypeError, ValueError, RecursionError, OverflowError, UnicodeError) as error:
        return {'kind': 'thrown', 'message': str(error)}
    if sum(map(len, texts)) > limit:
        return {'kind': 'tooMuchResult'}
    return dict(zip(('kind', 'event', 'returned'), ['done'] + texts))


def main(exit=os._exit):
    channel = Channel()
    log = Log(channel)
    sys.stdout = io.TextIOWrapper(log, 'utf-8', 'backslashreplace', write_through=True)
    sys.stderr = io.TextIOWrapper(log, 'utf-8', 'backslashreplace', write_through=True)
    outcome = run(channel, channel.receive(), log)
    sys.stdout.flush()
    log.flush()
    channel.send(outcome)
    exit(0)


main()
