import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON (RFC 8259) into maps, lists, strings, doubles, booleans and null, because the JDK has no JSON parser.
 * In a project, use Jackson or Gson instead.
 */
final class Json {
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at < text.length()) throw json.unexpected();
    return value;
  }

  private Object value() {
    space();
    switch (at < text.length() ? text.charAt(at) : 0) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': return word("true", true);
      case 'f': return word("false", false);
      case 'n': return word("null", null);
      default: return number();
    }
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    at++;
    if (next('}')) return members;
    do {
      space();
      String name = string();
      expect(':');
      members.put(name, value());
    } while (next(','));
    expect('}');
    return members;
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    at++;
    if (next(']')) return elements;
    do elements.add(value());
    while (next(','));
    expect(']');
    return elements;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    for (; ; ) {
      if (at >= text.length() || text.charAt(at) < ' ') throw unexpected();
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    if (at >= text.length()) throw unexpected();
    char c = text.charAt(at++);
    int place = "\"\\/bfnrt".indexOf(c);
    if (place >= 0) return "\"\\/\b\f\n\r\t".charAt(place);
    if (c != 'u' || at + 4 > text.length()) throw unexpected();
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Double number() {
    Matcher matcher = NUMBER.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) throw unexpected();
    at = matcher.end();
    return Double.valueOf(matcher.group());
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw unexpected();
    at += word.length();
    return value;
  }

  private boolean next(char c) {
    space();
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c) {
    if (!next(c)) throw unexpected();
  }

  private void space() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("not JSON at character " + at);
  }
}
