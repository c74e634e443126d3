# Sends a ping with Ruby's net/http, and prints the answer: ping.rb URL TOKEN CERTS
require "net/http"
require "openssl"

url, token, certs = ARGV
address = URI("#{url}/v1/ping")
http = Net::HTTP.new(address.hostname, address.port, nil)
http.use_ssl = true
http.ca_file = "#{certs}/ca.pem"
http.cert = OpenSSL::X509::Certificate.new(File.read("#{certs}/clients/demo/cert.pem"))
http.key = OpenSSL::PKey.read(File.read("#{certs}/clients/demo/key.pem"))
puts http.get(address.request_uri, "Authorization" => "Bearer #{token}").body
