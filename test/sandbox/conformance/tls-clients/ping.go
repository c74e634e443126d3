// Sends a ping with Go's net/http, and prints the answer: ping URL TOKEN CERTS
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	url, token, certs := os.Args[1], os.Args[2], os.Args[3]
	ca, err := os.ReadFile(certs + "/ca.pem")
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		log.Fatal("ca.pem has no certificate")
	}
	identity, err := tls.LoadX509KeyPair(certs+"/clients/demo/cert.pem", certs+"/clients/demo/key.pem")
	if err != nil {
		log.Fatal(err)
	}
	config := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{identity}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	request, err := http.NewRequest("GET", url+"/v1/ping", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
}
